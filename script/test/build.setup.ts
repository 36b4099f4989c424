import { buildScriptIfNeeded } from '../../server/build.js';

/** The pages of the tests load the built script. */
export default buildScriptIfNeeded;
