import { ClipboardList, Lightbulb, ListChecks, type LucideIcon, PanelTop, Route } from 'lucide-react';

export type Kind = 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed';

const icons: Record<Kind, LucideIcon> = {
  tour: Route,
  survey: ClipboardList,
  launcher: ListChecks,
  tooltip: Lightbulb,
  embed: PanelTop,
};

/** The icon of a kind of Experience. The word is beside it. */
export function KindIcon({ kind }: { kind: Kind }) {
  const Icon = icons[kind];
  return (
    <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-6 bg-accent-tint text-accent">
      <Icon size={16} />
    </span>
  );
}
