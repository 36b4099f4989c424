import { findSurveyPaths, type SurveyPath } from '@usher/domain';
import { END, type NextRule } from '@usher/domain/fields';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Step } from '../../../editor/document.ts';
import { readableText } from '../../../editor/readable-text.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { problemOf } from '../../../fields/place-of-path.ts';
import * as text from '../../../messages/text.ts';
import { cx } from '../../../ui/cx.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { describeTest } from './answer-test.tsx';
import { laneCount, type PathLane, toLanes } from './path-lanes.ts';
import { nameOfTarget } from './survey-steps.ts';

const texts = text.questions.paths;

interface PathsDialogProps {
  editor: Editor;
  /** Goes to the rules of a step. */
  onStep: (id: string) => void;
  onClose: () => void;
}

/** Draws the paths through a survey. A step leads to its rules. */
export function PathsDialog({ editor, onStep, onClose }: PathsDialogProps) {
  return (
    <Dialog isOpen size="medium" title={texts.title} description={texts.help} onClose={onClose}>
      <PathDrawing editor={editor} onStep={onStep} />
    </Dialog>
  );
}

const LANE = 14;
const FIRST_LANE = 18;

/**
 * The steps are a list, which screen readers read with the words of the rules. The arrows are drawn beside it, once the places of
 * steps and rules are known.
 */
function PathDrawing({ editor, onStep }: Omit<PathsDialogProps, 'onClose'>) {
  const { steps } = editor.document;
  const { paths, reachable } = findSurveyPaths(steps);
  const lanes = toLanes(
    paths,
    steps.map(({ id }) => id),
  );
  const root = useRef<HTMLDivElement>(null);
  const gutter = FIRST_LANE + LANE * laneCount(lanes);
  // This is here and not in the arrows, because the effects of a child run before its parent has its element.
  const places = usePlaces(root, gutter, steps);
  return (
    <div ref={root} className="relative" style={{ paddingInlineEnd: gutter }}>
      <ol aria-label={texts.title} className="flex flex-col gap-6">
        {steps.map((step, index) => (
          <PathStep
            key={step.id}
            step={step}
            index={index}
            steps={steps}
            paths={paths.filter(({ from }) => from === step.id)}
            isOnPath={reachable.has(step.id)}
            problem={problemOf(editor.document, editor.problems, step.id, 'next')}
            onStep={onStep}
          />
        ))}
      </ol>
      <p data-node={END} className="mt-6 w-fit rounded-full border border-edge px-3 py-1 text-13">
        {text.content.surveyEnd}
      </p>
      {places && <Arrows places={places} lanes={lanes} gutter={gutter} />}
    </div>
  );
}

interface PathStepProps {
  step: Step;
  index: number;
  steps: readonly Step[];
  paths: readonly SurveyPath[];
  isOnPath: boolean;
  problem: string | undefined;
  onStep: (id: string) => void;
}

function PathStep({ step, index, steps, paths, isOnPath, problem, onStep }: PathStepProps) {
  const title = readableText(step.title);
  return (
    <li
      data-node={step.id}
      className={cx(
        'flex flex-col rounded-10 border bg-surface',
        problem === undefined ? 'border-line' : 'border-bad',
        !isOnPath && 'border-dashed',
      )}
    >
      <button
        type="button"
        onClick={() => onStep(step.id)}
        className="flex min-w-0 items-baseline gap-2 rounded-10 px-3 py-2 text-left text-14 hover:bg-hover"
      >
        <span className="shrink-0 text-12 text-soft tabular-nums">{index + 1}</span>
        <span className={cx('min-w-0 font-medium', title === '' && 'text-soft')}>{title || text.content.untitled}</span>
      </button>
      {problem !== undefined && <p className="px-3 pb-2 text-13 text-bad">{problem}</p>}
      {step.next.length > 0 && (
        <ul className="border-t border-line text-13">
          {paths.map((path) => (
            <li
              key={path.rule ?? 'otherwise'}
              data-path={`${path.from} ${path.rule ?? ''}`}
              className="flex items-baseline gap-2 px-3 py-1 not-first:border-t not-first:border-line"
            >
              <span className="min-w-0 flex-1 wrap-anywhere">
                {path.rule === undefined ? texts.otherwise : describeRule(step.next[path.rule], step, steps)}
              </span>
              <span className="shrink-0 text-soft">
                <span className="sr-only">{texts.leadsTo(nameOfTarget(steps, path.to))}</span>
                <span aria-hidden>
                  → {path.to === END ? texts.end : steps.findIndex(({ id }) => id === path.to) + 1}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function describeRule(rule: NextRule | undefined, step: Step, steps: readonly Step[]): string {
  const when = rule?.when;
  if (!when) return texts.always;
  if ('filters' in when) return texts.filters;
  return describeTest(when, step, steps);
}

interface ArrowsProps {
  places: Places;
  lanes: readonly PathLane[];
  gutter: number;
}

interface Places {
  width: number;
  height: number;
  /** The top, the height and the right edge of steps, of rules, and of the end. */
  nodes: ReadonlyMap<string, Place>;
  rules: ReadonlyMap<string, Place>;
}
interface Place {
  top: number;
  height: number;
  right: number;
}

/** Short arrows go down to the step below. Others go through the lane of their target, so that arrows to one step are one line. */
function Arrows({ places, lanes, gutter }: ArrowsProps) {
  const { width, height, nodes, rules } = places;
  return (
    <svg aria-hidden width={width} height={height} className="pointer-events-none absolute inset-0" fill="none">
      {lanes.map(({ path, lane }) => {
        const target = nodes.get(path.to);
        const own = rules.get(`${path.from} ${path.rule ?? ''}`) ?? nodes.get(path.from);
        const color = lane === undefined ? 'text-edge' : colors[lane % colors.length];
        if (!target || !own) return null;
        const line =
          lane === undefined ? straight(own, target) : bent(own, target, width - gutter + FIRST_LANE + lane * LANE);
        return (
          <g key={`${path.from} ${path.rule ?? ''}`} className={color} stroke="currentColor" strokeWidth={1.5}>
            <path d={line.path} />
            <path d={line.head} strokeLinejoin="round" fill="currentColor" />
          </g>
        );
      })}
    </svg>
  );
}

const colors = ['text-chart-1', 'text-chart-3', 'text-chart-2', 'text-chart-5', 'text-chart-4'];
const HEAD = 5;
/** Where arrows begin and end, from the left of a step. */
const INDENT = 24;

function straight(own: Place, target: Place) {
  const end = target.top - 1;
  return {
    path: `M${INDENT} ${own.top + own.height} V${end - HEAD}`,
    head: `M${INDENT} ${end} l${-HEAD} ${-HEAD * 1.4} h${2 * HEAD} Z`,
  };
}

function bent(own: Place, target: Place, x: number) {
  const from = own.top + own.height / 2;
  const to = target.top + Math.min(target.height / 2, 18);
  const turn = Math.min(6, Math.abs(to - from) / 2) * Math.sign(to - from);
  const edge = target.right + 1;
  return {
    path: `M${own.right} ${from} H${x - 6} Q${x} ${from} ${x} ${from + turn} V${to - turn} Q${x} ${to} ${x - 6} ${to} H${edge + HEAD}`,
    head: `M${edge} ${to} l${HEAD * 1.4} ${-HEAD} v${2 * HEAD} Z`,
  };
}

function usePlaces(root: RefObject<HTMLDivElement | null>, gutter: number, steps: readonly Step[]): Places | undefined {
  const [places, setPlaces] = useState<Places>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other steps and another gutter move the places
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const measure = () => setPlaces(readPlaces(element));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [root, gutter, steps]);
  return places;
}

function readPlaces(root: HTMLElement): Places {
  const { left, top, width, height } = root.getBoundingClientRect();
  const read = (name: 'node' | 'path') =>
    new Map(
      [...root.querySelectorAll<HTMLElement>(`[data-${name}]`)].map((element) => {
        const box = element.getBoundingClientRect();
        return [element.dataset[name] ?? '', { top: box.top - top, height: box.height, right: box.right - left }];
      }),
    );
  return { width, height, nodes: read('node'), rules: read('path') };
}
