// The help page is text; only the frame is needed, and the program's version.

import { $ } from "./dom.js";
import { get } from "./api.js";
import "./frame.js";

get("/config").then(({ version }) => ($("#version").textContent = `This is tafl ${version}.`)).catch(() => null);
