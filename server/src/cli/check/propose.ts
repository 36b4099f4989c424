import { type PageElement, pathOfKind, type Step, toTarget } from '@usher/domain';
import type { CallApi } from './call-api.ts';
import type { StepReport } from './check-pages.ts';
import { nameOf } from './report.ts';

/** Writes the proposals into the drafts. People see them there, and publish them. Returns what was done, one line for each step. */
export async function sendProposals(callApi: CallApi, reports: readonly StepReport[]): Promise<string[]> {
  const lines: string[] = [];
  for (const report of reports)
    if (report.proposal) lines.push(`${nameOf(report)}: ${await sendProposal(callApi, report, report.proposal)}`);
  return lines;
}

async function sendProposal(
  callApi: CallApi,
  { step }: StepReport,
  proposal: readonly Record<string, string>[],
): Promise<string> {
  const { id, kind } = step.experience;
  const path = `/v3/edit/${pathOfKind(kind)}/${id}`;
  if (step.number === 0) return sendTrigger(callApi, path, kind, step.elements, proposal);
  const { steps } = await callApi<{ steps: Step[] }>(`${path}/steps`);
  const draft = steps.find((one) => one.id === step.id);
  if (!draft) return 'the draft no longer has this step';
  if (!isSame(draft.elements.map(describe), step.elements.map(describe)))
    return 'the draft already has another element';
  await callApi(`${path}/steps/${step.id}`, { method: 'PATCH', body: { elements: proposal } });
  return 'changed in the draft: look at it and publish it';
}

/** The element of a launcher is only a selector. */
async function sendTrigger(
  callApi: CallApi,
  path: string,
  kind: string,
  elements: LiveElements,
  proposal: LiveElements,
): Promise<string> {
  const [only] = proposal.filter(({ selector, text, shadow_selector }) => selector && !text && !shadow_selector);
  if (!only) return 'a launcher needs a selector without a text';
  const { [kind]: draft } = await callApi<Record<string, { trigger: string | null }>>(path);
  if (draft?.trigger !== elements[0]?.selector) return 'the draft already has another element';
  await callApi(path, { method: 'PATCH', body: { trigger: only.selector } });
  return 'changed in the draft: look at it and publish it';
}

type LiveElements = readonly Record<string, string>[];

function describe(element: PageElement | Record<string, string>): string {
  const { selector, text, shadow_selector } = toTarget(element as PageElement);
  return JSON.stringify([selector ?? null, text ?? null, shadow_selector ?? null]);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
