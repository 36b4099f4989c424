import { useLocation } from 'wouter';
import type { Editor } from '../../../editor/use-editor.ts';
import { placeOfPath } from '../content/problem-list.tsx';
import { experienceTabs } from '../experience-tabs.ts';

/** Opens the tab of a field such as `steps.0.title`, and puts the focus there. Undefined for what no tab shows. */
export function useGoToField(id: string, editor: Editor | undefined): ((path: string) => void) | undefined {
  const [, navigate] = useLocation();
  if (!editor) return undefined;
  return (path) => {
    const tab = tabOf(path);
    navigate(`/app/experiences/${id}${tab && `/${tab}`}`);
    const { of, field } = placeOfPath(editor.document, path);
    // The dialog gives the focus back first.
    requestAnimationFrame(() => requestAnimationFrame(() => editor.show(of, field)));
  };
}

const isTab = (path: string) => experienceTabs.some((tab) => tab.path === path);

function tabOf(path: string): string {
  const isContent = /^(steps|items)\./.test(path) && !/\.quantifier_urls/.test(path);
  if (path.startsWith('translations.')) return isTab('languages') ? 'languages' : '';
  return !isContent && isTab('targeting') ? 'targeting' : '';
}
