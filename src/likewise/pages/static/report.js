// The report: all views on the data in the file.

import { showClusters } from "./views/clusters_view.js";
import { showDocument } from "./views/document_view.js";
import { showOverview } from "./views/overview_view.js";
import { Page } from "./page.js";
import { showPair } from "./views/pair_view.js";
import { showPairs } from "./views/pairs_view.js";
import { ReportSource } from "./data/report_source.js";
import { showRun } from "./views/run_view.js";

new Page(new ReportSource(), {
  "": { label: "Overview", show: showOverview },
  pairs: { label: "Pairs", show: showPairs },
  clusters: { label: "Clusters", show: showClusters },
  run: { label: "Run", show: showRun },
  document: { show: showDocument },
  pair: { show: showPair },
}).start();
