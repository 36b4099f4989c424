import { use } from 'react';
import { Redirect } from 'wouter';
import { FirstSetting } from '../../app/first-setting.ts';

/** The settings begin with the first page that the person may see. */
export default function SettingsPage() {
  return <Redirect to={use(FirstSetting)} replace />;
}
