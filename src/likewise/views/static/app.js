// The app: all views on the data of a server, and what changes that data.

import { ApiSource } from "./api_source.js";
import { showCheck } from "./check_view.js";
import { showClusters } from "./clusters_view.js";
import { CollectionSwitch } from "./collection_switch.js";
import { showDocument } from "./document_view.js";
import { showLibrary } from "./library_view.js";
import { showOverview } from "./overview_view.js";
import { Page } from "./page.js";
import { showPair } from "./pair_view.js";
import { showPairs } from "./pairs_view.js";
import { showRun } from "./run_view.js";

const apiSource = new ApiSource();
const collectionSwitch = new CollectionSwitch(apiSource);
const appPage = new Page(apiSource, {
  "": { label: "Overview", show: showOverview },
  check: { label: "Check", show: showCheck },
  pairs: { label: "Pairs", show: showPairs },
  clusters: { label: "Clusters", show: showClusters },
  library: { label: "Library", show: showLibrary },
  run: { label: "Run", show: showRun },
  document: { show: showDocument },
  pair: { show: showPair },
}, { header: collectionSwitch.element });

appPage.start();
collectionSwitch.load(appPage);
window.addEventListener("hashchange", () => collectionSwitch.load(appPage));
