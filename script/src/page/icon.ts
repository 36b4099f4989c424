/** A line drawing of 24 by 24; its colour is that of the text. */
export function icon(path: string): SVGSVGElement {
  const make = <Name extends 'svg' | 'path'>(name: Name) =>
    document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElementTagNameMap[Name];
  const [svg, line] = [make('svg'), make('path')];
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

export const cross = 'M6 6l12 12M18 6L6 18';
export const tick = 'M5 12.5l4.5 4.5L19 7.5';
