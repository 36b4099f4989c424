/* What several templates have in their steps. */

export const next = { text: { en: 'Next', ar: 'التالي' }, tour_action: 'next' };
export const back = { text: { en: 'Back', ar: 'السابق' }, tour_action: 'previous' };
export const notNow = { text: { en: 'Not now', ar: 'ليس الآن' }, tour_action: 'exit' };
/** Buttons with it open a page, and end the tour. */
export const link = { tour_action: 'next', additional_actions: ['cta_url'] };

/** A step at the top of the page: inside of the body, before everything else. */
export const atTop = {
  position_type: 'inline',
  elements: [{ selector: 'body' }],
  placement: 'left',
  dismiss_text: { en: 'Dismiss', ar: 'إغلاق' },
};
