// The report: all views on the data in the file.

import { showCluster } from "./views/cluster_view.js";
import { showClusters } from "./views/clusters_view.js";
import { showDocument } from "./views/document_view.js";
import { showDocuments } from "./views/documents_view.js";
import { showFamilies } from "./views/families_view.js";
import { showFamily } from "./views/family_view.js";
import { showOverview } from "./views/overview_view.js";
import { Page } from "./page.js";
import { showPair } from "./views/pair_view.js";
import { showPairs } from "./views/pairs_view.js";
import { ReportSource } from "./data/report_source.js";
import { showReview } from "./views/review_view.js";
import { showRun } from "./views/run_view.js";

new Page(new ReportSource(), {
  "": { label: "Overview", show: showOverview },
  documents: { label: "Documents", show: showDocuments },
  pairs: { label: "Pairs", show: showPairs },
  clusters: { label: "Clusters", show: showClusters },
  families: { label: "Families", show: showFamilies },
  review: { label: "Review", show: showReview },
  run: { label: "Run", show: showRun },
  cluster: { show: showCluster },
  document: { show: showDocument },
  family: { show: showFamily },
  pair: { show: showPair },
}).start();
