/*
 * How teams write HTML. A number is the share of the elements that have such an attribute.
 */

/**
 * @typedef {object} Style
 * @property {'bem' | 'bootstrap' | 'utility' | 'modules' | 'scoped' | 'hashed' | 'none'} classes
 * @property {number} [testIds]
 * @property {string} [testAttribute]
 * @property {number} [ids] written by developers
 * @property {number} [madeIds] made by a library, of this form: `#` is a counter and `*` a hash
 * @property {string} [idForm]
 * @property {number} [names] of fields
 * @property {number} [labels] `aria-label` of controls without text
 * @property {number} [hooks] `data-action` and its like
 * @property {boolean} isSemantic whether landmarks and buttons have their own tags
 * @property {string} [prefix] of the paths of links
 * @property {boolean} [hasComponents] whether widgets are custom elements with a shadow root
 */

/** @type {Record<string, Style>} */
export const styles = {
  tested: { classes: 'hashed', testIds: 0.7, testAttribute: 'data-testid', names: 0.9, labels: 0.9, isSemantic: true },
  classic: { classes: 'bem', ids: 0.35, names: 1, labels: 0.5, isSemantic: true },
  bootstrap: { classes: 'bootstrap', ids: 0.3, names: 1, labels: 0.4, hooks: 0.2, isSemantic: true, prefix: '/app' },
  utility: { classes: 'utility', madeIds: 0.4, idForm: 'radix-:r#:', names: 0.8, labels: 0.9, isSemantic: true },
  modules: {
    classes: 'modules',
    madeIds: 0.2,
    idForm: ':r#:',
    names: 0.8,
    labels: 0.8,
    isSemantic: true,
    prefix: '/en',
  },
  scoped: { classes: 'scoped', testIds: 0.15, testAttribute: 'data-cy', names: 0.7, labels: 0.6, isSemantic: true },
  styled: { classes: 'hashed', madeIds: 0.3, idForm: 'mui-#', names: 0.8, labels: 0.8, isSemantic: false },
  counted: { classes: 'bem', madeIds: 0.9, idForm: 'ember#', names: 0.5, labels: 0.3, isSemantic: false },
  hashedIds: {
    classes: 'utility',
    madeIds: 0.8,
    idForm: 'field-*',
    names: 0.6,
    labels: 0.7,
    hooks: 0.3,
    isSemantic: true,
  },
  components: {
    classes: 'bem',
    ids: 0.2,
    testIds: 0.3,
    testAttribute: 'data-qa',
    labels: 0.6,
    isSemantic: true,
    hasComponents: true,
  },
  bare: { classes: 'none', names: 0.6, labels: 0.3, isSemantic: false },
};
