/* An adapter for your own server or host belongs here. `npm run preview` works without one. */
export default {};
