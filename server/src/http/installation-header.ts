/**
 * An installation recognizes itself behind its public URL by this header. The value is random and says nothing else.
 */
export const INSTALLATION_HEADER = 'x-usher-installation';
