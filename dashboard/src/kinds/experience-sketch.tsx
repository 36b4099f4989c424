import type { ListedExperience } from '@usher/domain';
import { kinds } from '@usher/domain/kinds';
import { cx } from '../ui/cx.ts';

type Sketch = ListedExperience['sketch'];
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const [WIDTH, HEIGHT, GAP] = [60, 40, 4];
/** The element of the page that a box points at. */
const ELEMENT: Box = { x: 26, y: 18, width: 9, height: 5 };

/** Of the theme. */
export interface SketchColors {
  background: string;
  text: string;
  button: string;
}

interface ExperienceSketchProps {
  experience: Pick<ListedExperience, 'kind' | 'sketch'>;
  /** Without them, it has those of the dashboard. */
  colors?: SketchColors | undefined;
  className?: string;
}

/**
 * A small drawing of what users see first: a page, and the box at its place. It is drawn from a few numbers, so a list
 * of many costs little.
 */
export function ExperienceSketch({ experience: { kind, sketch }, colors, className }: ExperienceSketchProps) {
  const isList = kinds[kind].parts === 'items';
  const box = isList ? listBox(sketch) : boxOf(sketch);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      fill="none"
      aria-hidden="true"
      className={cx('shrink-0 rounded-4 forced-color-adjust-none', className)}
    >
      <rect x={0.5} y={0.5} width={WIDTH - 1} height={HEIGHT - 1} rx={3.5} className="fill-ground stroke-line" />
      <path d="M6 6h10M44 6h10M6 13h14M6 18h10M6 23h12M26 13h28M26 30h20" className="stroke-pressed" strokeWidth={2} />
      {sketch.has_backdrop && <rect width={WIDTH} height={HEIGHT} rx={4} className="fill-rail" opacity={0.45} />}
      {sketch.place === 'element' && <rect {...ELEMENT} rx={1.5} className="fill-torch" />}
      {isList && <circle {...dotOf(sketch)} r={4} className="fill-accent" style={{ fill: colors?.button }} />}
      <rect
        {...box}
        rx={2}
        strokeWidth={1}
        className="fill-raised stroke-accent"
        style={{ fill: colors?.background, stroke: colors?.button }}
      />
      {isList ? (
        <Items box={box} count={sketch.parts} colors={colors} />
      ) : (
        <StepLines box={box} sketch={sketch} colors={colors} />
      )}
    </svg>
  );
}

/** The title as a line as long as its words, then the text, then the question or the buttons. */
interface LinesProps {
  box: Box;
  colors: SketchColors | undefined;
}

function StepLines({ box: { x, y, width, height }, sketch, colors }: LinesProps & { sketch: Sketch }) {
  const room = width - 6;
  const title = Math.max(8, Math.min(room, sketch.title_length * 0.9));
  const bottom = y + height - 3.5;
  return (
    <>
      {sketch.title_length > 0 && (
        <path
          d={`M${x + 3} ${y + 4}h${title}`}
          className="stroke-ink"
          style={{ stroke: colors?.text }}
          strokeWidth={2}
        />
      )}
      {sketch.has_text && height > 9 && (
        <path d={`M${x + 3} ${y + 7.5}h${room * 0.8}`} className="stroke-edge" strokeWidth={1} />
      )}
      {sketch.question !== null ? (
        <path
          d={`M${x + 3} ${bottom}h${room}`}
          className="stroke-accent"
          style={{ stroke: colors?.button }}
          strokeWidth={3}
          {...(!isTyped(sketch.question) && { strokeDasharray: '2 1' })}
        />
      ) : (
        sketch.buttons > 0 && (
          <path
            d={`M${x + width - 9} ${bottom}h6`}
            className="stroke-accent"
            style={{ stroke: colors?.button }}
            strokeWidth={3}
            strokeLinecap="round"
          />
        )
      )}
    </>
  );
}

function Items({ box: { x, y, width }, count, colors }: LinesProps & { count: number }) {
  return [...Array(Math.min(3, Math.max(1, count))).keys()].map((at) => (
    <g key={at}>
      <circle
        cx={x + 4}
        cy={y + 4 + at * 5}
        r={1.3}
        className={at === 0 ? 'fill-accent' : 'fill-edge'}
        {...(at === 0 && { style: { fill: colors?.button } })}
      />
      <path d={`M${x + 7} ${y + 4 + at * 5}h${width - 11}`} className="stroke-edge" strokeWidth={1.5} />
    </g>
  ));
}

const isTyped = (question: NonNullable<Sketch['question']>) => question === 'survey_input' || question === 'response';

function boxOf({ place, side }: Sketch): Box {
  if (place === 'inline') return { x: 24, y: 10, width: 32, height: 15 };
  if (place !== 'element') return onScreen(place, 28, 18);
  const { x, y, width, height } = ELEMENT;
  if (side === 'top') return { x: x - 8, y: 1.5, width: 26, height: 13 };
  if (side === 'left') return { x: 2, y: y - 4, width: 20, height: 13 };
  if (side === 'right') return { x: x + width + 3, y: y - 4, width: 20, height: 13 };
  return { x: x - 8, y: y + height + 2, width: 26, height: 13 };
}

function onScreen(place: Exclude<Sketch['place'], 'element' | 'inline'>, width: number, height: number): Box {
  const x = /left$|start$/.test(place) ? GAP : /right$|end$/.test(place) ? WIDTH - GAP - width : (WIDTH - width) / 2;
  const y = place.includes('top') ? GAP : place.includes('bottom') ? HEIGHT - GAP - height : (HEIGHT - height) / 2;
  return { x, y, width, height };
}

/** The open list of a launcher, above or below its dot. */
function listBox(sketch: Sketch): Box {
  const { cx: x, cy: y } = dotOf(sketch);
  const [width, height] = [26, 17];
  return {
    x: x < WIDTH / 3 ? GAP : x > (WIDTH * 2) / 3 ? WIDTH - GAP - width : (WIDTH - width) / 2,
    y: y < HEIGHT / 2 ? y + 6 : y - 6 - height,
    width,
    height,
  };
}

function dotOf({ place }: Sketch): { cx: number; cy: number } {
  if (place === 'element' || place === 'inline' || place === 'center') return { cx: WIDTH - 8, cy: HEIGHT - 8 };
  const { x, y } = onScreen(place, 8, 8);
  return { cx: x + 4, cy: y + 4 };
}
