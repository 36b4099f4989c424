import { Redirect } from 'wouter';

/** The settings begin with their first page. */
export default function SettingsPage() {
  return <Redirect to="/app/settings/profile" replace />;
}
