import { Redirect } from 'wouter';
import { listSettings } from '../../app/list-settings.ts';
import { useAllowedRoutes } from '../../app/shortcuts.ts';

/** The settings begin with the first page that the person may see. */
export default function SettingsPage() {
  const [first] = listSettings(useAllowedRoutes());
  return first ? <Redirect to={first.path} replace /> : null;
}
