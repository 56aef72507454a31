// The help page is static; this adds the frame and the version.

import { $ } from "./dom.js";
import { get } from "./api.js";
import "./frame.js";

get("/config").then(({ version }) => ($("#version").textContent = `This is tafl ${version}.`)).catch(() => null);
