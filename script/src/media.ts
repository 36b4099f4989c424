import { parseVideo } from '../../domain/src/pictures/video.ts';
import type { PaintMedia, Ui } from './kind.ts';
import css from './page/media.css';
import { registerModule } from './register-module.ts';
import type { PageStep } from './wire.ts';

/* Paints the picture or video of a step. Only pages with a picture or video load it. */

const playIcon = 'M8 5l11 7l-11 7z';
/** The beginning of the path of a picture. */
const path = /^\/media\/[\da-f]{24}\//;
/** The end of the path of a picture: its size, and whether there is a file with twice as many pixels. */
const size = /-(\d+)x(\d+)(?:@1x|(@2x))?\.\w+$/;

const paintMedia: PaintMedia = (ui, step, box, main) => {
  ui.addStyle(css);
  for (const image of main.querySelectorAll('img')) setSize(image);
  const media = createMedia(ui, step);
  if (!media) return;
  const { media_position: place = 'above' } = step;
  media.classList.add('media', place);
  // Beside the text, it has a column of its own. Above, it scrolls with the text.
  if (/left|right/.test(place) || box.matches('.banner')) {
    box.classList.add(`media-${place}`);
    box.prepend(media);
  } else main.prepend(media);
};

/**
 * Puts the address of the server before the paths of its pictures, wherever they are. Content blockers stop names that end with the
 * size of an advertisement, such as `728x90.png`, but not `728x90@1x.png`.
 */
function addBase(value: object, baseUrl: string): void {
  for (const [key, one] of Object.entries(value))
    if (typeof one === 'string' && path.test(one))
      Object.assign(value, { [key]: baseUrl + one.replace(/(\d)\./, '$1@1x.') });
    else if (one && typeof one === 'object') addBase(one, baseUrl);
}

function createMedia(ui: Ui, step: PageStep): HTMLElement | undefined {
  const { picture, video_url: address } = step;
  const name = ui.toPlainText(step.picture_alt);
  const video = address ? parseVideo(address) : undefined;
  if (!video) return picture ? ui.create('div', {}, createImage(ui, picture, name)) : undefined;
  const frame = ui.create('div', { class: 'video' });
  const [, width = '16', height = '9'] = size.exec(picture ?? '') ?? [];
  frame.style.aspectRatio = `${width}/${height}`;
  if (video.kind === 'file')
    frame.append(
      ui.create('video', {
        ...{ src: video.url, controls: '', playsinline: '', 'aria-label': name || ui.label('play') },
        // The first picture of the video shows if there is no other.
        ...(picture ? { poster: picture, preload: 'none' } : { preload: 'metadata' }),
      }),
    );
  else frame.append(...createStill(ui, frame, video, address ?? '', picture, name));
  return frame;
}

function createImage(ui: Ui, src: string, alt: string): HTMLImageElement {
  const image = ui.create('img', { alt, decoding: 'async' });
  setSize(image, src);
  return image;
}

/** Reserves the place of a picture, and lets the browser choose between its files. */
function setSize(image: HTMLImageElement, src = image.src): void {
  const [, width, height, twice] = size.exec(src) ?? [];
  if (width) image.setAttribute('width', width);
  if (height) image.setAttribute('height', height);
  if (twice) image.srcset = `${src.replace(twice, '@1x')} 1x, ${src} 2x`;
  image.src = src;
}

/** The player of a service is loaded after a click, so that the service learns nothing of users who do not want to see it. */
function createStill(
  ui: Ui,
  frame: HTMLElement,
  { url, service }: { url: string; service: string },
  address: string,
  picture: string | undefined,
  name: string,
): HTMLElement[] {
  const button = ui.button('play', [ui.icon(playIcon)], () => {
    // With reduced motion, the player waits for one more click.
    const src = matchMedia('(prefers-reduced-motion: reduce)').matches ? url.replace('autoplay=1', 'autoplay=0') : url;
    const player = ui.create('iframe', {
      ...{ src, title: name || service, allowfullscreen: '', referrerpolicy: 'strict-origin-when-cross-origin' },
      allow: 'autoplay; encrypted-media; fullscreen; picture-in-picture',
    });
    // The page may forbid frames. Then a link leads to the video.
    const stop = ui.on(document, 'securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
      if (!/frame|child/.test(effectiveDirective) || !blockedURI.startsWith(new URL(url).origin)) return;
      stop();
      const link = ui.create(
        'a',
        { href: address, target: '_blank', rel: 'noopener' },
        `${ui.label('play')}: ${service}`,
      );
      frame.replaceChildren(link);
      link.focus();
    });
    frame.replaceChildren(player);
    player.focus();
  });
  button.setAttribute('aria-label', `${ui.label('play')}: ${name || service}`);
  // The button has the name.
  return [...(picture ? [createImage(ui, picture, '')] : []), button];
}

registerModule('media', (experience, baseUrl = '') => {
  addBase(experience, baseUrl);
  return paintMedia;
});
