import { createContext } from 'react';

/** The address of the first page of the settings that the person may see. */
export const FirstSetting = createContext('/app');
