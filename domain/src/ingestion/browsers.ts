/** The browsers and devices that the script detects. Without schemas, so that pages of the dashboard load none for a list of names. */
export const browserNames = ['chrome', 'firefox', 'safari', 'opera', 'ie10', 'ie11', 'edge'] as const;
export const browserKinds = ['desktop', 'mobile'] as const;
