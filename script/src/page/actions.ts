import { isAddress } from '../../../domain/src/rich-text/merge.ts';
import type { ActiveExperience } from '../active-experience.ts';
import type { Ui } from '../kind.ts';
import { find } from './find.ts';
import type { UiDependencies } from './ui.ts';

/** What the buttons and items of an Experience do. */
export function createActions(
  active: ActiveExperience,
  { config, scheduleVisit }: Pick<UiDependencies, 'config' | 'scheduleVisit'>,
): Pick<Ui, 'openAddress' | 'runCode' | 'runActions'> {
  const openAddress: Ui['openAddress'] = (address, newWindow) => {
    const url = active.extras ? active.extras.resolveAddress(address, active) : address;
    if (typeof url !== 'string' || !isAddress(url, 'href')) return;
    if (newWindow) open(url, '_blank', 'noopener');
    else if (!config.navigate?.(url)) location.assign(url);
  };
  const runCode: Ui['runCode'] = (code) => void active.compileCode?.(code)?.(null);
  return {
    openAddress,
    runCode,
    runActions: (button) => {
      const {
        additional_actions: actions = [],
        action_element,
        action_script,
        action_campaign_id,
        action_url,
      } = button;
      const has = (name: (typeof actions)[number]) => actions.includes(name);
      // The server sets the property or tag when it receives the report of the click. Then other Experiences may show.
      if (has('property') || has('tag_user')) scheduleVisit();
      if (has('code') && action_script) runCode(action_script);
      const result = has('element_click') && action_element && find([action_element]);
      if (result && 'element' in result) (result.element as HTMLElement).click();
      if ((has('tour') || has('survey')) && action_campaign_id)
        active.show(action_campaign_id, { group_kind: 'campaign', group_id: active.experience.id });
      // The address is opened last, because that may leave the page.
      if (has('cta_url') && action_url) openAddress(action_url, button.action_new_window);
    },
  };
}
