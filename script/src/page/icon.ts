/** Draws an icon of 24 by 24 from an SVG path, in the color of the text. */
export function icon(path: string): SVGSVGElement {
  const create = <Name extends 'svg' | 'path'>(name: Name) =>
    document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElementTagNameMap[Name];
  const [svg, line] = [create('svg'), create('path')];
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
