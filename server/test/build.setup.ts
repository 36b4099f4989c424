import { buildIfNeeded } from '../build.js';

/** The batch thread starts from the bundle, although the tests run everything else from source. */
export default buildIfNeeded;
