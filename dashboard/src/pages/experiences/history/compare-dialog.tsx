import { useQuery } from '@tanstack/react-query';
import { type NameOf, unpublishedSummary } from '@usher/domain/sentences';
import { ArrowLeftRight, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { ChangeSentences } from '../../../changes/change-sentences.tsx';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatDateTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Option, Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

const texts = text.history.versions;
const DRAFT = 'draft';

interface CompareDialogProps {
  isOpen: boolean;
  onClose: () => void;
  experience: ShownExperience;
  nameOf: NameOf;
  onRevert?: (versionId: string) => void;
}

/** Compares any two published versions, or one with the draft. */
export function CompareDialog({ isOpen, onClose, experience, nameOf, onRevert }: CompareDialogProps) {
  const kind = `${experience.kind}s` as const;
  const { id } = experience;
  const versions = useQuery({
    ...query('GET /v3/edit/{kind}/{id}/versions', { kind, id, limit: 100 }),
    enabled: isOpen,
  });
  const [chosen, setChosen] = useState<{ from?: string; until?: string }>({});
  const list = versions.data?.versions ?? [];
  const from = chosen.from ?? list[0]?.id ?? DRAFT;
  const until = chosen.until ?? DRAFT;
  const options: Option[] = [
    { value: DRAFT, label: texts.draft },
    ...list.map((version) => ({
      value: version.id,
      label: texts.version(formatDateTime(new Date(version.published_at)), version.user?.name || text.history.somebody),
      ...(version.live && { description: texts.live }),
    })),
  ];
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="medium"
      title={texts.title}
      buttons={
        <>
          {onRevert && from !== DRAFT && (
            <Button
              icon={RotateCcw}
              onPress={() => {
                onRevert(from);
                onClose();
              }}
            >
              {texts.revert}
            </Button>
          )}
          <Button look="primary" onPress={onClose}>
            {text.ui.close}
          </Button>
        </>
      }
    >
      <ErrorNotice error={versions.error} />
      {!versions.data && !versions.error && <Skeleton height={120} />}
      {versions.data && list.length === 0 && <p className="text-soft">{texts.none}</p>}
      {list.length > 0 && (
        <div className="flex flex-col gap-4">
          <div className="grid items-end gap-2 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
            <Select label={texts.from} options={options} value={from} onChange={(from) => setChosen({ from, until })} />
            <IconButton
              icon={ArrowLeftRight}
              label={texts.swap}
              onPress={() => setChosen({ from: until, until: from })}
            />
            <Select
              label={texts.until}
              options={options}
              value={until}
              onChange={(until) => setChosen({ from, until })}
            />
          </div>
          <Comparison experience={experience} from={from} until={until} nameOf={nameOf} />
        </div>
      )}
    </Dialog>
  );
}

interface ComparisonProps {
  experience: ShownExperience;
  from: string;
  until: string;
  nameOf: NameOf;
}

function Comparison({ experience, from, until, nameOf }: ComparisonProps) {
  const isSame = from === until;
  // The server compares a version with a later state only. From the draft to a version, its result is reversed.
  const isReversed = from === DRAFT;
  const params = {
    ...{ kind: `${experience.kind}s` as const, id: experience.id, version_id: isReversed ? until : from },
    ...(!isReversed && until !== DRAFT && { until }),
  };
  const { data, error } = useQuery({
    ...query('GET /v3/edit/{kind}/{id}/versions/{version_id}/summary', params),
    enabled: !isSame,
  });
  if (isSame) return <p className="text-14 text-soft">{texts.same}</p>;
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Skeleton height={80} />;
  return (
    <ChangeSentences
      summary={unpublishedSummary(data)}
      kind={experience.kind}
      nameOf={nameOf}
      {...(isReversed && { isReversed })}
    />
  );
}
