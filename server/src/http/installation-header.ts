/**
 * An installation recognizes itself behind its public URL by this header. The value is random and says nothing else.
 */
export const INSTALLATION_HEADER = 'x-usher-installation';
/** Says that the request came by the base path. If it is missing, the proxy in front has removed the path. */
export const BASE_PATH_HEADER = 'x-usher-base-path';
