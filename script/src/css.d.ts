/** The build minifies the style sheets and imports them as text. */
declare module '*.css' {
  const text: string;
  export default text;
}
