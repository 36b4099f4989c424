import {
  compileReader,
  type Document,
  type ExperienceParts,
  findAnswerProblem,
  findMissingPart,
  findReportProblems,
  findReportStep,
  findSnoozeProblem,
  kinds,
  type Millis,
  Report,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ApiError, invalid, notFound } from '../../../errors.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';

/** A report whose Experience, steps and buttons exist. */
export interface CheckedReport {
  report: Report;
  /** Undefined when the Experience is not live. */
  experience: PublishedExperience | undefined;
  /** The parts of the version that the page shows. */
  parts: ExperienceParts;
  /** The step that a response answers. */
  question: ExperienceParts['steps'][number] | undefined;
}

const read = compileReader<Report>(Report);
/** A page may be open for hours and show a version that was replaced since. */
const MAX_EARLIER_VERSIONS = 10;

/** Parses the reports of one request and rejects reports that name something unknown, before anything is locked. */
export function createReportChecker(
  ctx: Context,
  account: PublishedAccount,
): (params: unknown) => Promise<CheckedReport> {
  const earlier = new Map<string, Promise<Document[]>>();
  const partsFor = async (report: Report, published: Document | undefined): Promise<ExperienceParts> => {
    const { experience_id: id } = report;
    const shown = published ?? { steps: [] };
    const apiError = findReportError(report, shown);
    if (!apiError) return shown;
    const documents = earlier.get(id) ?? listEarlierDocuments(ctx, id);
    earlier.set(id, documents);
    const replaced = (await documents).find((document) => !findReportError(report, document));
    if (!replaced) throw apiError;
    return replaced;
  };

  return async (params) => {
    const now = ctx.now();
    const report = readReport(params, now);
    const kind = account.kindOf(report.experience_id);
    if (!kind) throw notLive();
    if (report.group_id && !account.kindOf(report.group_id)) throw notFound('Experience');
    if (report.response && !kinds[kind].asks) throw invalid(`\`response\` is for surveys: this is a ${kind}`);
    if (report.problem && !report.step_id && kinds[kind].parts === 'steps')
      throw invalid('`step_id` is required: give the ID of the step that could not show');
    const experience = account.experience(report.experience_id, now);
    const parts = await partsFor(report, experience?.document);
    const question = report.response ? findReportStep(report, parts) : undefined;
    if (report.response && !question) throw invalid('`step_id` is required: give the ID of the step that was answered');
    return { report, experience, parts, question };
  };
}

/** Finds why a page that shows these parts cannot have sent this report. */
function findReportError(report: Report, parts: ExperienceParts): ApiError | undefined {
  const missing = findMissingPart(report, parts);
  if (missing) return notFound(missing);
  const question = report.response ? findReportStep(report, parts) : undefined;
  const problem =
    (report.response && question && findAnswerProblem(question, report.response)) ?? findSnoozeProblem(report, parts);
  return problem ? invalid(problem) : undefined;
}

function readReport(params: unknown, now: Millis): Report {
  const reading = read(params, now);
  if ('problems' in reading) throw invalid(...reading.problems);
  const problems = findReportProblems(reading.value);
  if (problems.length > 0) throw invalid(...problems);
  return reading.value;
}

/** Pages cannot tell an Experience that is not live from one that does not exist. */
export function notLive(): ApiError {
  return notFound('live Experience');
}

async function listEarlierDocuments(ctx: Context, experienceId: string): Promise<Document[]> {
  const rows = await ctx.db
    .selectFrom('versions')
    .select('content')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .orderBy('id', 'desc')
    .limit(MAX_EARLIER_VERSIONS)
    .execute();
  return rows.map(({ content }) => content.document);
}
