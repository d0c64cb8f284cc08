// The page of `likewise synopsis`.

import { SynopsisFile } from "./synopsis/synopsis_file.js";

new SynopsisFile().start();
