import { describe, expect, it } from 'vitest';
import { authoredPartOf, isUtilityOrState, originOf } from './authored.ts';

describe('originOf', () => {
  it.each([
    ...[
      'save',
      'save-button',
      'mainNavigation',
      'user_email',
      'sidebar__link',
      'QuickSearch',
      'nav-btn',
      'html-editor',
    ],
    ...['checkoutForm', 'project.list', 'nav:home', 'DataTable', 'two-factor', 'xl-banner', 'workspaceSwitcher'],
  ])('takes %s for written by a developer', (name) => {
    expect(originOf(name)).toBe('authored');
  });

  it.each([
    ...[
      'fc-Rw',
      'fc-aBc',
      ':r1:',
      '«r3»',
      'radix-:r7:',
      'headlessui-menu-button-1',
      'mui-12',
      'ember342',
      'mat-input-3',
      'react-select-2-input',
    ],
    ...[
      'css-1x2y3z',
      'sc-bdVaJa',
      'jss42',
      'field-k3j9x2mq',
      '550e8400-e29b-41d4-a716-446655440000',
      'kXyZab',
      'hqzvkw',
    ],
    ...['user-10442', 'x', '', '12', 'a'.repeat(61)],
  ])('takes %s for made by a tool', (name) => {
    expect(originOf(name)).toBe('generated');
  });

  it('tells names that end in a small number from others', () => {
    expect(['step-2', 'address2', 'tab-12'].map(originOf)).toEqual(['indexed', 'indexed', 'indexed']);
  });
});

describe('isUtilityOrState', () => {
  it.each([
    ...[
      'flex',
      'mt-4',
      '-ml-px',
      'text-sm',
      'text-gray-700',
      'hover:bg-gray-50',
      'md:w-1/2',
      'w-[32px]',
      'inline-flex',
    ],
    ...['col-md-6', 'd-none', 'btn', 'btn-primary', 'justify-between', 'rounded-lg', 'space-y-2', 'px-3', 'border-b'],
    ...['is-active', 'has-error', 'active', 'open', 'menu--open', 'tab_selected', 'ng-touched', 'collapsed'],
  ])('excludes %s', (name) => {
    expect(isUtilityOrState(name) || originOf(name) !== 'authored').toBe(true);
  });

  it.each([
    'text-editor',
    'order-summary',
    'line-chart',
    'card__title',
    'top-bar',
    'sign-in',
    'js-save',
    'open-invoices',
  ])('keeps %s', (name) => {
    expect(isUtilityOrState(name)).toBe(false);
  });
});

describe('authoredPartOf', () => {
  it('keeps what a developer wrote of a class that a build has made unique', () => {
    expect(authoredPartOf('Header_nav__a1B2c')).toBe('Header_nav__');
    expect(authoredPartOf('_toolbar_1x2y3_12')).toBe('_toolbar_');
    expect(authoredPartOf('sidebar__x7Yq2')).toBe('sidebar__');
  });

  it('keeps nothing of a class that is only a hash', () => {
    expect(['sc-bdVaJa', 'css-1x2y3z', '_1x2y3_12', 'kXyZab'].map(authoredPartOf)).toEqual(Array(4).fill(undefined));
  });
});
