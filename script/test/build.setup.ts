import { buildScriptIfNeeded } from '../../server/build.js';

/** Pages load what was built. */
export default buildScriptIfNeeded;
