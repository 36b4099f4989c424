/* Without the schemas of the API, so that the dashboard can use it in the browser. */
export * from './picture-file.ts';
export * from './picture-path.ts';
export * from './read-picture.ts';
export * from './video.ts';
