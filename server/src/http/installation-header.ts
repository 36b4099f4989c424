/** By this an installation recognizes itself behind its public URL. It is random and says nothing else. */
export const INSTALLATION_HEADER = 'x-usher-installation';
