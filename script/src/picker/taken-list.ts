import { type LookPart, lookParts, nearestShadow } from '../../../domain/src/themes/look-parts.ts';
import type { ElementLook, Look } from '../../../domain/src/themes/page-look-schema.ts';
import type { Ui } from '../kind.ts';

const names: Record<LookPart, string> = { button: 'Button', heading: 'Heading', card: 'Card', link: 'Link' };

interface TakenOptions {
  look: Look;
  skipped: readonly LookPart[];
  /** The part that the administrator points at now. */
  current: LookPart | undefined;
  onAgain(part: LookPart): void;
}

/** Lists what was taken from the page: colors, fonts and shapes. */
export function listTaken(ui: Ui, { look, skipped, current, onAgain }: TakenOptions): HTMLElement {
  const rows = lookParts.map((part) => {
    const taken = look[part];
    const isSkipped = skipped.includes(part);
    const words = taken ? describeLook(part, taken) : isSkipped ? 'Skipped' : part === current ? 'Now' : '';
    const row = ui.create('li', {}, ui.create('b', {}, names[part]));
    if (taken)
      row.append(ui.create('span', { class: 'pick-colors', 'aria-hidden': 'true' }, ...swatches(ui, part, taken)));
    row.append(ui.create('span', {}, words));
    if ((taken || isSkipped) && part !== current) {
      const again = ui.button('pick-again', [taken ? 'Take again' : 'Take it'], () => onAgain(part));
      again.ariaLabel = `${again.textContent}: ${names[part]}`;
      row.append(again);
    }
    return row;
  });
  return ui.create('ul', { class: 'pick-taken', 'aria-label': 'Taken from the page' }, ...rows);
}

function colorsOf(part: LookPart, { color, background, border_color }: ElementLook): string[] {
  if (part === 'link' || part === 'heading') return [color];
  return [background, color, ...(border_color ? [border_color] : [])];
}

function swatches(ui: Ui, part: LookPart, look: ElementLook): HTMLElement[] {
  return colorsOf(part, look).map((color) => {
    const swatch = ui.create('i');
    // A policy of the page may forbid attributes with styles, but not this.
    swatch.style.setProperty('background', `#${color}`);
    return swatch;
  });
}

/** Says in a few words what was taken: `#1f5f4a, Inter 14 px, radius 4 px`. */
function describeLook(part: LookPart, look: ElementLook): string {
  const { font = '', font_size, font_weight, radius, shadow } = look;
  const text = `${font.split(',')[0]?.replace(/["']/g, '')} ${Math.round(font_size)} px ${font_weight}`.trim();
  const first = `#${colorsOf(part, look)[0]}`;
  if (part === 'link') return first;
  if (part === 'heading') return `${first}, ${text}`;
  const shade = part === 'card' ? `, shadow ${nearestShadow(shadow)}` : '';
  return `${first}, ${text}, radius ${Math.round(radius)} px${shade}`;
}
