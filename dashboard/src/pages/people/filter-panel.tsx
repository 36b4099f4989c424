import { useQueryClient } from '@tanstack/react-query';
import { ChartPie } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, type ParamsOf } from '../../api/api.ts';
import { invalidate } from '../../api/nouns.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../app/show-error.ts';
import { describeFilters, suggestName } from '../../filters/describe-filters.ts';
import { FilterBuilder } from '../../filters/filter-builder.tsx';
import type { FilterSet } from '../../filters/filter-set.ts';
import { useKnownSubjects } from '../../filters/use-filter-names.ts';
import { useTyped } from '../../lists/use-typed.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import { readFilterSet, writeFilterSet } from './read-filter-set.ts';

const texts = text.people;

interface FilterPanelProps {
  value: FilterSet;
  /** Whether the search field has a text too, which a Segment cannot have. */
  hasWords: boolean;
  onChange: (value: FilterSet) => void;
}

/** The conditions of the list, in words too, and the button that saves them as a Segment. */
export function FilterPanel({ value, hasWords, onChange }: FilterPanelProps) {
  const { can } = useSession();
  const { names } = useKnownSubjects();
  const [typed, setTyped] = useTyped(JSON.stringify(value), (next) => onChange(JSON.parse(next)), toAddressAndBack);
  const edited: FilterSet = JSON.parse(typed);
  const isEmpty = edited.filters.length === 0;
  return (
    <section aria-label={texts.filters} className="flex flex-col gap-4 rounded-10 border border-line bg-surface p-4">
      <FilterBuilder value={edited} onChange={(next) => setTyped(JSON.stringify(next))} />
      {!isEmpty && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t border-line pt-3">
          <p className="min-w-0 flex-1 basis-60 text-13 wrap-anywhere text-soft">{describeFilters(edited, names)}</p>
          <div className="flex flex-wrap items-center gap-2">
            <Button look="quiet" onPress={() => setTyped(JSON.stringify({ filters: [], filters_op: 'and' }))}>
              {texts.clearFilters}
            </Button>
            {can('edit') && <SaveButton value={edited} suggested={suggestName(edited, names)} />}
          </div>
          {hasWords && can('edit') && <p className="basis-full text-12 text-soft">{texts.segment.withoutWords}</p>}
        </div>
      )}
    </section>
  );
}

function toAddressAndBack(typed: string): string {
  const written = writeFilterSet(JSON.parse(typed));
  const { isBad, ...read } = readFilterSet(written.filters, written.filters_op);
  return JSON.stringify(read);
}

/** Saves with one click: the sentence is the name, and the toast leads to the Segment, where it can be changed. */
function SaveButton({ value, suggested }: { value: FilterSet; suggested: string }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      const params = { name: suggested, items: value.filters, items_op: value.filters_op };
      const { segment } = await api('POST /v3/edit/segments', params as ParamsOf<'POST /v3/edit/segments'>);
      void invalidate(client, 'segments');
      showToast({
        title: texts.segment.saved(segment.name),
        action: { label: texts.segment.open, onPress: () => navigate(`/app/segments/${segment.id}`) },
      });
    } catch (error) {
      showError(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button icon={ChartPie} isPending={isPending} onPress={save}>
      {texts.segment.save}
    </Button>
  );
}
