/* The users of the sample product, and the Companies that they work for. */

export interface SampleProfile {
  uid: string;
  first_name: string;
  last_name: string;
  role: string;
  company: SampleCompany;
}

interface SampleCompany {
  uid: string;
  name: string;
  plan: string;
  seats: number;
  users: readonly string[];
}

const companies: readonly SampleCompany[] = [
  {
    uid: 'sample-northwind',
    name: 'Northwind Traders',
    plan: 'pro',
    seats: 12,
    users: [
      'Ines Moreau',
      'Jonas Weber',
      'Amara Okafor',
      'Lucía Fernández',
      'Tom Becker',
      'Hana Suzuki',
      'Omar Haddad',
      'Elif Kaya',
      'Piotr Nowak',
    ],
  },
  {
    uid: 'sample-bluebird',
    name: 'Bluebird Logistics',
    plan: 'pro',
    seats: 10,
    users: [
      'Grace Kim',
      'Mateo Rossi',
      'Sofia Lindqvist',
      'Liam Murphy',
      'Noor Rahman',
      'Chloé Martin',
      'Diego Santos',
    ],
  },
  {
    uid: 'sample-fern',
    name: 'Fern & Sons',
    plan: 'team',
    seats: 8,
    users: ['Emma Fern', 'Oliver Fern', 'Yuki Tanaka', 'Zara Ali', 'Ben Hughes', 'Marta Silva', 'Ivan Petrov'],
  },
  {
    uid: 'sample-lumen',
    name: 'Lumen Health',
    plan: 'team',
    seats: 8,
    users: ['Aisha Khan', 'Erik Berg', 'Mia Novak', 'Carlos Vega', 'Lena Fischer', 'Sam Taylor', 'Priya Nair'],
  },
  {
    uid: 'sample-quarry',
    name: 'Quarry Studio',
    plan: 'trial',
    seats: 5,
    users: ['Robin Clarke', 'Kofi Mensah', 'Julia Schmidt', 'Theo Laurent', 'Maya Cohen'],
  },
  {
    uid: 'sample-tideline',
    name: 'Tideline Coffee',
    plan: 'trial',
    seats: 5,
    users: ['Ava Jensen', 'Luca Bianchi', 'Ruth Adeyemi', 'Finn Larsen', 'Nadia Popescu'],
  },
];

/** The first user of each Company is its administrator. */
export const sampleProfiles: readonly SampleProfile[] = companies.flatMap((company) =>
  company.users.map((name, index) => {
    const [first_name = '', ...rest] = name.split(' ');
    const role = index === 0 ? 'admin' : index % 4 === 0 ? 'viewer' : 'member';
    return { uid: `${company.uid}-${index + 1}`, first_name, last_name: rest.join(' '), role, company };
  }),
);

/** Comments in the survey, by the rating of the user. */
export const sampleComments: Record<'good' | 'fair' | 'poor', readonly string[]> = {
  good: [
    'The overview saves me an hour every Monday.',
    'Everybody in the team understood it on the first day.',
    'Fast, and it stays out of the way.',
  ],
  fair: ['Good, but I miss a calendar.', 'Works well; the reports could be easier to share.'],
  poor: ['Too many emails.', 'I could not find how to invite a client.'],
};
