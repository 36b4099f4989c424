import { problemTexts } from '@usher/domain';
import type { StepReport } from './check-pages.ts';

/* What the command writes: text for people, JSON, and JUnit for CI. */

export interface CheckReport {
  url: string;
  pages: number;
  isStrict: boolean;
  steps: readonly StepReport[];
}

const titles: Record<StepReport['state'], string> = {
  missing: 'Missing',
  covered: 'Covered',
  several: 'Several elements match',
  fallback: 'Found by some descriptions only',
  by_place: 'Found by its place only: it may be another element',
  not_reached: 'Not reached',
  found: 'Found',
};
const states = Object.keys(titles) as StepReport['state'][];

/** Whether the build fails because of this step: users could not see it. */
export function isFailure({ state }: StepReport, isStrict: boolean): boolean {
  return state === 'missing' || (isStrict && /^(fallback|several|covered)$/.test(state));
}

export function formatText(report: CheckReport, hasColors: boolean): string {
  const { steps, pages, url } = report;
  const sections = states.flatMap((state) => {
    const ofState = steps.filter((step) => step.state === state);
    if (ofState.length === 0) return [];
    const isBad = ofState.some((step) => isFailure(step, report.isStrict));
    const title = paint(titles[state], isBad ? 31 : state === 'found' ? 32 : 33, hasColors);
    return [[title, ...ofState.flatMap(linesOf).map(withoutControls)]];
  });
  const experiences = new Set(steps.map(({ step }) => step.experience.id)).size;
  const head = `${count(steps.length, 'step')} of ${count(experiences, 'Experience')}, on ${count(pages, 'page')} of ${url}`;
  return [[head], ...sections].map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n');
}

function linesOf(report: StepReport): string[] {
  const { state, path, step, picture } = report;
  const details = state === 'found' ? [] : [...listDetails(report), ...(picture ? [`picture: ${picture}`] : [])];
  return [
    `  ${nameOf(report)}${path === null ? '' : `  ${path}`}  ${count(step.seen, 'person', 'people')} last week`,
    ...details.map((line) => `      ${line}`),
  ];
}

/** What is wrong with a step, and what to do, one line each. */
function listDetails({ step, state, reason, by, lost, element, note, pages, proposal }: StepReport): string[] {
  const wanted = step.elements.map(describe);
  return [
    ...(note === null ? [] : [note]),
    ...(reason === null ? [] : [problemTexts[reason]]),
    ...(state === 'fallback' && by !== null
      ? [...lost.map((at) => `no longer: ${wanted[at]}`), `still: ${wanted[by]}, ${element}`]
      : []),
    ...(/fallback|not_reached/.test(state) ? [] : wanted.map((text) => `looked for ${text}`)),
    ...(state === 'missing' && pages > 1 ? [`on ${count(pages, 'page')}`] : []),
    ...(proposal ? [`proposed: ${proposal.map(describe).join(' or ')}`] : []),
  ];
}

/** `Welcome, step 2 “Invite your team”`. */
export function nameOf({ step: { experience, number, title } }: StepReport): string {
  const short = title.replace(/\s+/g, ' ').trim().slice(0, 40);
  return `${experience.name}, ${number === 0 ? experience.kind : `step ${number}`}${short ? ` “${short}”` : ''}`;
}

function describe({ selector, text, shadow_selector }: Record<string, string>): string {
  return [selector, shadow_selector && `>>> ${shadow_selector}`, text && `“${text}”`].filter(Boolean).join(' ');
}

export function toJson({ url, pages, isStrict, steps }: CheckReport): object {
  return {
    ...{ url, pages, failed: steps.some((report) => isFailure(report, isStrict)) },
    counts: Object.fromEntries(states.map((state) => [state, steps.filter((report) => report.state === state).length])),
    steps: steps.map(({ step, ...report }) => ({
      experience_id: step.experience.id,
      experience: step.experience.name,
      kind: step.experience.kind,
      step_id: step.id,
      number: step.number,
      title: step.title,
      people_last_week: step.seen,
      elements: step.elements,
      ...report,
    })),
  };
}

export function toJunit(report: CheckReport): string {
  const { steps, isStrict } = report;
  const suites = [...new Map(steps.map(({ step }) => [step.experience.id, step.experience])).values()];
  const attributes = (list: readonly StepReport[]) => {
    const failures = list.filter((one) => isFailure(one, isStrict)).length;
    const skipped = list.filter(({ state }) => state === 'not_reached').length;
    return `tests="${list.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  };
  const cases = (list: readonly StepReport[]) =>
    list.map((one) => {
      const text = escapeXml(listDetails(one).join('\n'));
      const title = escapeXml(titles[one.state]);
      const body = isFailure(one, isStrict)
        ? `<failure message="${title}">${text}</failure>`
        : one.state === 'not_reached'
          ? `<skipped message="${text}"/>`
          : one.state === 'found'
            ? ''
            : `<system-out>${title}\n${text}</system-out>`;
      return `    <testcase classname="usher" name="${escapeXml(nameOf(one))}">${body}</testcase>\n`;
    });
  const parts = suites.map(({ id, name }) => {
    const own = steps.filter(({ step }) => step.experience.id === id);
    return `  <testsuite name="${escapeXml(name)}" ${attributes(own)}>\n${cases(own).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="usher check" ${attributes(steps)}>\n${parts.join('')}</testsuites>\n`;
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
  // XML cannot contain other control characters.
  return text.replace(/[&<>"\n]|(?!\n)[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (sign) => entities[sign] ?? ' ');
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}

/** Names can contain control characters, which must not reach the terminal. */
export function withoutControls(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ');
}

function paint(text: string, color: number, hasColors: boolean): string {
  return hasColors ? `\u001b[${color}m${text}\u001b[0m` : text;
}
