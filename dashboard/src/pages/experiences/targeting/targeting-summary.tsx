import { useQuery } from '@tanstack/react-query';
import { describeAudience, type QuantifierUrl } from '@usher/domain';
import { Target } from 'lucide-react';
import { query } from '../../../api/queries.ts';
import { environmentsQuery } from '../../../app/environment.ts';
import type { ExperienceTabProps } from '../../../editor/experience-tab-props.ts';
import { describeCount } from '../../../filters/describe-count.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { useAudience } from '../who/index.ts';

/** The whole tab in one sentence, from the draft as it is now. */
export function TargetingSummary({
  experience,
  editor,
  rules,
}: ExperienceTabProps & { rules: readonly QuantifierUrl[] }) {
  const { data: segments } = useQuery(query('GET /v3/edit/segments', { limit: 500 }));
  const { data: environments } = useQuery(environmentsQuery);
  const audience = useAudience(experience).data?.audience;
  const { document } = editor;
  const names = (ids: readonly string[]) =>
    ids.map((id) => {
      const name = segments?.segments.find((one) => one.id === id)?.name;
      return name === undefined ? '…' : `“${name}”`;
    });
  const sentence = describeAudience(document, rules, {
    formatNumber,
    people: audience && describeCount({ ...audience, estimate: audience.estimate.count }),
    segments: names(document.segment_ids),
    excluded: names(document.excluded_segment_ids),
    environments: (environments?.url_groups ?? [])
      .filter(({ id }) => document.url_group_ids.includes(id))
      .map(({ name }) => name),
  });
  return (
    <section
      aria-label={text.targeting.summary.label}
      className="mt-4 flex items-start gap-3 rounded-10 border border-line bg-torch-tint px-4 py-3"
    >
      <Target size={20} aria-hidden className="mt-0.5 shrink-0" />
      <p className="text-16 font-medium wrap-anywhere">
        <bdi>{sentence}</bdi>
      </p>
    </section>
  );
}
