import { Text } from '../basics/schema.ts';

const MAX_HREF = 65_536;

/** The address of the page that a user is on, as the page sends it. */
export const HrefParam = Text('the address of the page', MAX_HREF);
