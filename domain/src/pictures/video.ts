/** A video as a page shows it: a file that the browser plays, or the page of a service, which is shown in a frame after a click. */
export type Video = { kind: 'file'; url: string } | { kind: 'frame'; url: string; service: string };

/** Each service with the address of its videos, and of its player. The players set no cookies where there is a choice. */
const services: [name: string, address: RegExp, player: (id: string) => string][] = [
  [
    'YouTube',
    /^https:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/,
    (id) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`,
  ],
  [
    'Vimeo',
    /^https:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{5,12}(?:\/[0-9a-f]{8,12}(?![\w-]))?)/,
    (id) => {
      const [number, key] = id.split('/');
      return `https://player.vimeo.com/video/${number}?autoplay=1&dnt=1${key ? `&h=${key}` : ''}`;
    },
  ],
  [
    'Loom',
    /^https:\/\/(?:www\.)?loom\.com\/(?:share|embed)\/([0-9a-f]{32})/,
    (id) => `https://www.loom.com/embed/${id}?autoplay=1`,
  ],
];

/** Undefined if the address is none of a video that can be shown. */
export function parseVideo(address: string): Video | undefined {
  for (const [service, pattern, player] of services) {
    const [, id] = pattern.exec(address) ?? [];
    if (id) return { kind: 'frame', url: player(id), service };
  }
  return /^https:\/\/[^/\s]+\/[^\s?#]*\.(mp4|webm)(\?[^\s#]*)?$/i.test(address)
    ? { kind: 'file', url: address }
    : undefined;
}
