declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Whether this build has the page that shows every part of the design system. */
declare const __HAS_PARTS_PAGE__: boolean;
