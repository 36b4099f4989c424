import { buildIfNeeded } from '../build.js';

/** The thread of the batches starts from the bundle, also where everything else runs from source. */
export default buildIfNeeded;
