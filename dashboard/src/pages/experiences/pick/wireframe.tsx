import type { Step } from '../../../editor/document.ts';
import { readableText } from '../../../editor/readable-text.ts';
import * as text from '../../../messages/text.ts';
import type { Box, PickResult, WireframeBox } from '../../../picks/pick-api.ts';
import { placeBubble } from './place-bubble.ts';
import { fontSizeOf, targetOf, textOfTarget } from './sketch.ts';

const texts = text.pick.result;
const COLOR = /^#[\da-f]{6}([\da-f]{2})?$/i;

interface WireframeProps {
  result: PickResult;
  /** The step, which is painted at the element if the element is that of a step. */
  step: Step | undefined;
}

/**
 * A sketch of the page with the picked element, and the step beside it. Its texts come from the page, so they are
 * rendered as plain text.
 */
export function WireframePicture({ result: { wireframe, box }, step }: WireframeProps) {
  const { width, height, boxes } = wireframe;
  const target = targetOf(wireframe, box);
  const parts = boxes.filter((one) => !one.target);
  return (
    <svg
      viewBox={`0 0 ${Math.max(1, width)} ${Math.max(1, height)}`}
      role="img"
      aria-label={texts.picture(textOfTarget(wireframe, target))}
      direction="ltr"
      className="max-h-64 w-full rounded-6 border border-line bg-pressed forced-color-adjust-none"
    >
      <rect width="100%" height="100%" fill="#ffffff" />
      {parts.map((one, index) => (
        // Boxes have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: the sketch never changes
        <WireframePart key={index} box={one} />
      ))}
      <Ring box={target} />
      {step && <Bubble box={placeBubble(target, wireframe, step.placement)} title={readableText(step.title)} />}
    </svg>
  );
}

function WireframePart({ box: { x, y, width, height, fill, color, text: said } }: { box: WireframeBox }) {
  return (
    <>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={2}
        fill={colorOr(fill, 'none')}
        {...(fill === undefined && said === undefined && { stroke: '#d5d9e0' })}
      />
      {said !== undefined && <ClippedText box={{ x, y, width, height }} fill={colorOr(color, '#4b5464')} said={said} />}
    </>
  );
}

/** Checks a color a last time. The page and the server have checked it too. */
const colorOr = (color: string | undefined, other: string) => (color && COLOR.test(color) ? color : other);

/** A text never leaves its box. */
function ClippedText({ box, fill, said, inset = 2 }: { box: Box; fill: string; said: string; inset?: number }) {
  const { x, y, width, height } = box;
  return (
    <svg x={x} y={y} width={width} height={height} aria-hidden>
      <text x={inset} y={height / 2} dominantBaseline="central" fontSize={fontSizeOf(box, said)} fill={fill}>
        {said}
      </text>
    </svg>
  );
}

function Ring({ box: { x, y, width, height } }: { box: Box }) {
  const place = { x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 5, fill: 'none' };
  return (
    <>
      <rect {...place} stroke="#ffffff" strokeWidth={6} />
      <rect {...place} stroke="#3a4bd0" strokeWidth={3} />
    </>
  );
}

function Bubble({ box, title }: { box: Box; title: string }) {
  const { x, y, width, height } = box;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} rx={8} fill="#ffffff" stroke="#3a4bd0" strokeWidth={1.5} />
      <ClippedText
        box={{ x, y: y + 8, width: width - 8, height: 24 }}
        fill="#161b26"
        said={title || texts.step}
        inset={12}
      />
      <rect x={x + 12} y={y + 42} width={width * 0.6} height={8} rx={4} fill="#e2e5eb" />
      <rect x={x + width - 60} y={y + height - 24} width={48} height={14} rx={4} fill="#3a4bd0" />
    </>
  );
}
