// The report: all views on the data in the file.

import { showClusters } from "./clusters_view.js";
import { showDocument } from "./document_view.js";
import { showOverview } from "./overview_view.js";
import { Page } from "./page.js";
import { showPair } from "./pair_view.js";
import { showPairs } from "./pairs_view.js";
import { ReportSource } from "./report_source.js";
import { showRun } from "./run_view.js";

new Page(new ReportSource(), {
  "": { label: "Overview", show: showOverview },
  pairs: { label: "Pairs", show: showPairs },
  clusters: { label: "Clusters", show: showClusters },
  run: { label: "Run", show: showRun },
  document: { show: showDocument },
  pair: { show: showPair },
}).start();
