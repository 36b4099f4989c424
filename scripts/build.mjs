// Builds what has changed: the browser script, the dashboard and the server. After it, `node server/dist/main.js` starts.
import { buildIfNeeded } from '../server/build.js';

await buildIfNeeded();
