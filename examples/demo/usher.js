// The first half of Usher's snippet: what a page calls before the script is there is kept, and done then.
// Most pages have it inline; here it is a file, because this site allows no inline script.
!((w) => {
  w.usher = w.usher || { q: [], data: { profile: { get: () => {} } } };
  for (const name of ['identify', 'track', 'set', 'show', 'clear', 'on', 'off', 'init']) {
    w.usher[name] = w.usher[name] || ((...given) => w.usher.q.push([name, given]));
  }
})(window);
