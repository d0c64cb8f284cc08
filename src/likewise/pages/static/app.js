// The app: all views on the data of a server, and what changes that data.

import { ApiSource } from "./data/api_source.js";
import { showCheck } from "./views/check_view.js";
import { showCluster } from "./views/cluster_view.js";
import { showClusters } from "./views/clusters_view.js";
import { CollectionSwitch } from "./parts/collection_switch.js";
import { showDocument } from "./views/document_view.js";
import { showDocuments } from "./views/documents_view.js";
import { showFamilies } from "./views/families_view.js";
import { showFamily } from "./views/family_view.js";
import { showLibrary } from "./views/library_view.js";
import { Page } from "./page.js";
import { showPair } from "./views/pair_view.js";
import { showPairs } from "./views/pairs_view.js";
import { showReview } from "./views/review_view.js";
import { showRun } from "./views/run_view.js";
import { showStart } from "./views/start_view.js";
import { showSynopsis } from "./views/synopsis_view.js";

const apiSource = new ApiSource();
const collectionSwitch = new CollectionSwitch(apiSource);
const appPage = new Page(apiSource, {
  "": { label: "Overview", show: showStart },
  documents: { label: "Documents", show: showDocuments },
  check: { label: "Check", show: showCheck },
  pairs: { label: "Pairs", show: showPairs },
  clusters: { label: "Clusters", show: showClusters },
  families: { label: "Families", show: showFamilies },
  synopsis: { label: "Synopsis", show: showSynopsis },
  review: { label: "Review", show: showReview },
  library: { label: "Library", show: showLibrary },
  run: { label: "Run", show: showRun },
  cluster: { show: showCluster },
  document: { show: showDocument },
  family: { show: showFamily },
  pair: { show: showPair },
}, { header: collectionSwitch.element });

appPage.start();
collectionSwitch.load(appPage);
window.addEventListener("hashchange", () => collectionSwitch.load(appPage));
