import type { ExperienceKind } from '@usher/domain/kinds';
import { ClipboardList, Lightbulb, ListChecks, type LucideIcon, PanelTop, Route } from 'lucide-react';

const icons: Record<ExperienceKind, LucideIcon> = {
  tour: Route,
  survey: ClipboardList,
  launcher: ListChecks,
  tooltip: Lightbulb,
  embed: PanelTop,
};

/** The icon of a kind of Experience. The word for the kind is always beside it. */
export function KindIcon({ kind }: { kind: ExperienceKind }) {
  const Icon = icons[kind];
  return (
    <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-6 bg-accent-tint text-accent">
      <Icon size={16} />
    </span>
  );
}
