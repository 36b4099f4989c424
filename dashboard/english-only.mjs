/**
 * react-aria has its own few texts in 34 languages, which is more than the rest of it. The dashboard is in English, so the files of
 * the other languages are replaced by the English one.
 * @returns {import('vite').Plugin}
 */
export function englishOnly() {
  return {
    name: 'usher-english-only',
    enforce: 'pre',
    resolveId(source, importer) {
      if (
        !importer ||
        !/\/intl\/(?:.*\/)?[a-z]{2}-[A-Z]{2}\.mjs$/.test(source) ||
        !/react-(aria|stately)/.test(importer)
      )
        return undefined;
      return this.resolve(source.replace(/[a-z]{2}-[A-Z]{2}\.mjs$/, 'en-US.mjs'), importer, { skipSelf: true });
    },
  };
}
