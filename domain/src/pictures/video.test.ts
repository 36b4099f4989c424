import { describe, expect, it } from 'vitest';
import { parseVideo } from './video.ts';

describe('the address of a video', () => {
  it.each([
    [
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0',
    ],
    ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1'],
    ['https://vimeo.com/76979871/abcdef1234', 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1&h=abcdef1234'],
    [`https://www.loom.com/share/${'a'.repeat(32)}`, `https://www.loom.com/embed/${'a'.repeat(32)}?autoplay=1`],
  ])('leads to the player of a service: %s', (address, url) => {
    expect(parseVideo(address)).toMatchObject({ kind: 'frame', url });
  });

  it.each(['https://cdn.example.com/a/b.mp4', 'https://cdn.example.com/b.webm?v=2'])('is a file: %s', (url) => {
    expect(parseVideo(url)).toEqual({ kind: 'file', url });
  });

  it.each([
    'http://cdn.example.com/b.mp4',
    'javascript:alert(1)//.mp4',
    'https://evil.example/https://youtu.be/dQw4w9WgXcQ',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ"onload="x',
    'https://cdn.example.com/b.mov',
    'https://cdn.example.com/page',
  ])('is none that can be shown, or leads only to the player: %s', (address) => {
    const video = parseVideo(address);
    if (video) expect(video.url).toBe('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0');
  });
});
