import { Search } from 'lucide-react';
import { useState } from 'react';
import { NewPasswordField } from '../../app/new-password-field.tsx';
import { Section } from '../../app/page.tsx';
import { ColorDot } from '../../ui/badge.tsx';
import { Checkbox, RadioGroup, Switch } from '../../ui/choice.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';

const environments: Option[] = [
  { value: 'production', label: 'Production', mark: <ColorDot color="#d92d20" /> },
  { value: 'staging', label: 'Staging', description: 'Two domains', mark: <ColorDot color="#1e90ff" /> },
  { value: 'old', label: 'Old', isDisabled: true },
];

export function Fields() {
  const [environment, setEnvironment] = useState<string | null>('production');
  const [role, setRole] = useState('viewer');
  const [password, setPassword] = useState('a longer one');
  return (
    <Section title="Fields">
      <div className="grid items-start gap-5 sm:grid-cols-2 lg:grid-cols-3">
        <TextField label="Name" defaultValue="Welcome tour" help="Only your team sees it." />
        <TextField label="Search" placeholder="Search tours…" icon={Search} isOptional />
        <TextField label="Email" defaultValue="ann@" error="Email must have a part after the @, such as example.com." />
        <TextField label="Token" defaultValue="abc123" isReadOnly />
        <TextField label="Domain" defaultValue="app.example.com" isDisabled />
        <PasswordField label="Current password" value={password} onChange={setPassword} />
        <NewPasswordField label="New password" value={password} onChange={setPassword} about={[]} />
        <TextArea
          label="Text"
          defaultValue="Hi {{first_name}}, here is what is new."
          help="Merge tags are filled in."
        />
        <TextArea label="Text with a mistake" defaultValue="Hi {{first_nam}}" error="No property is named first_nam." />
        <Select label="Environment" options={environments} value={environment} onChange={setEnvironment} />
        <Select
          label="Environment"
          options={environments}
          value={null}
          onChange={setEnvironment}
          help="Where it shows."
        />
        <ComboBox label="Domain" options={environments} value={environment} onChange={setEnvironment} />
        <div className="flex flex-col gap-2.5">
          <Checkbox label="Show it once" defaultSelected help="Each person sees it one time." />
          <Checkbox label="Some of them" isIndeterminate />
          <Checkbox label="Not chosen" />
          <Checkbox label="Cannot be chosen" isDisabled />
        </div>
        <div className="flex flex-col gap-2.5">
          <Switch label="Enabled" defaultSelected help="Users see Experiences here." />
          <Switch label="Off" />
          <Switch label="Cannot be changed" isDisabled />
        </div>
        <RadioGroup
          label="Role"
          value={role}
          onChange={setRole}
          options={[
            { value: 'editor', label: 'Editor', help: 'Creates and publishes Experiences' },
            { value: 'viewer', label: 'Viewer', help: 'Looks, changes nothing' },
            { value: 'owner', label: 'Owner', isDisabled: true },
          ]}
        />
      </div>
    </Section>
  );
}
