const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Whether every word of the query begins a word of the text, whatever their order, case and accents are. */
export function matchesWords(text: string, query: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u);
  return plain(query)
    .split(/\s+/)
    .filter((word) => word !== '')
    .every((part) => words.some((word) => word.startsWith(part)) || plain(text).includes(part));
}
