import type { ReactNode } from 'react';

/*
 * The drawings of empty pages, each of what will be there. They have the colors of the theme, and amber marks the one thing that
 * matters, as the light of an usher does.
 */

const line = { className: 'stroke-edge', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
const thin = { className: 'stroke-pressed', strokeWidth: 4, strokeLinecap: 'round' } as const;
const paper = { className: 'fill-surface stroke-edge', strokeWidth: 2, strokeLinejoin: 'round' } as const;

/** The head and the shoulders of a person. */
function Person({ x, y, isLit = false }: { x: number; y: number; isLit?: boolean }) {
  const look = { className: isLit ? 'fill-torch stroke-edge' : 'fill-surface stroke-edge', strokeWidth: 2 };
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M-15 24a15 15 0 0 1 30 0z" {...look} strokeLinejoin="round" />
      <circle cy={-2} r={8} {...look} />
    </g>
  );
}

const drawings = {
  /** A stage without an act, and the light that waits for it. */
  live: (
    <>
      <path d="M84 8 56 76h56z" className="fill-torch-tint" />
      <path d="M36 10h96v66H36z" {...line} />
      <path
        d="M36 10c4 26-2 44-10 60V10zM132 10c-4 26 2 44 10 60V10z"
        className="fill-accent-tint stroke-edge"
        strokeWidth={2}
      />
      <ellipse cx={84} cy={76} rx={28} ry={6} className="fill-torch" />
      <path d="M20 84h128" {...line} />
    </>
  ),
  /** A page with a box beside the element it is about. */
  experiences: (
    <>
      <rect x={28} y={10} width={112} height={72} rx={6} {...paper} />
      <path d="M28 24h112" {...line} />
      <path d="M40 36h24M40 48h16M40 60h20" {...thin} />
      <rect x={76} y={32} width={16} height={10} rx={3} className="fill-torch" />
      <path
        d="M84 46 76 52h50v22H76V52z"
        className="fill-accent-tint stroke-accent"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <path d="M101 58v10M96 63h10" className="stroke-accent" strokeWidth={2} strokeLinecap="round" />
    </>
  ),
  nothingFound: (
    <>
      <path d="M34 24h64M34 44h40M34 64h52" {...thin} />
      <circle cx={104} cy={46} r={22} className="fill-torch-tint stroke-edge" strokeWidth={2} />
      <path d="m120 62 18 18" {...line} strokeWidth={5} />
      <path d="m97 39 14 14m0-14-14 14" {...line} />
    </>
  ),
  steps: (
    <>
      <rect x={30} y={26} width={52} height={40} rx={5} {...paper} />
      <rect x={86} y={26} width={52} height={40} rx={5} className="stroke-edge" strokeWidth={2} strokeDasharray="4 4" />
      <path d="M40 38h28M40 48h18" {...thin} />
      <circle cx={112} cy={46} r={11} className="fill-torch" />
      <path d="M112 41v10M107 46h10" className="stroke-rail" strokeWidth={2} strokeLinecap="round" />
    </>
  ),
  segments: (
    <>
      <circle cx={68} cy={46} r={32} {...line} />
      <circle cx={100} cy={46} r={32} {...line} />
      <path
        d="M84 18.300a32 32 0 0 1 0 55.400a32 32 0 0 1 0-55.400z"
        className="fill-torch stroke-edge"
        strokeWidth={2}
      />
      <path
        d="M52 34h.1M50 54h.1M60 66h.1M112 32h.1M118 50h.1M108 66h.1M84 38h.1M84 54h.1"
        className="stroke-ink"
        strokeWidth={6}
        strokeLinecap="round"
      />
    </>
  ),
  people: (
    <>
      <Person x={50} y={42} />
      <Person x={118} y={42} />
      <Person x={84} y={48} isLit />
      <path d="M24 82h120" {...line} />
    </>
  ),
  companies: (
    <>
      <path d="M40 82V34h32v48zM72 82V14h34v68zM106 82V46h24v36z" {...paper} />
      <path d="M50 46h12M50 60h12M82 28h14M82 56h14M114 58h8" {...thin} />
      <rect x={82} y={38} width={14} height={8} className="fill-torch" />
      <path d="M24 82h120" {...line} />
    </>
  ),
  /** A table that goes into a box. */
  imports: (
    <>
      <path d="M56 8h56v44H56z" {...paper} />
      <path d="M66 20h16M90 20h12M66 32h16M90 32h12" {...thin} />
      <rect x={62} y={40} width={44} height={6} rx={3} className="fill-torch" />
      <path d="M84 56v10m-6-5 6 6 6-6" {...line} />
      <path d="M36 58v24h96V58" {...line} />
    </>
  ),
  /** A page with a mark to be made. */
  proposals: (
    <>
      <path d="M52 8h64v74H52z" {...paper} />
      <path d="M64 22h40M64 34h40M64 46h22" {...thin} />
      <circle cx={104} cy={66} r={14} className="fill-torch" />
      <path d="m97 66 5 5 9-10" {...line} />
    </>
  ),
  deliveries: (
    <>
      <path d="M28 70c20 6 34-2 44-18" {...line} strokeDasharray="2 7" />
      <path d="M66 36 108 18 92 58 84 46z" {...paper} />
      <path d="m84 46 24-28" {...line} />
      <Person x={128} y={58} isLit />
    </>
  ),
  /** A click, and how often it comes. */
  events: (
    <>
      <path d="M36 70v-10M56 70v-18M76 70v-14M96 70v-26" {...thin} strokeWidth={10} />
      <path d="M26 80h116" {...line} />
      <path d="M116 70V30" className="stroke-torch" strokeWidth={10} strokeLinecap="round" />
      <path d="m52 14 6 22 6-8 10-2z" {...paper} />
    </>
  ),
  properties: (
    <>
      <rect x={34} y={14} width={100} height={64} rx={6} {...paper} />
      <path d="M34 35h100M34 57h100M78 14v64" {...line} strokeWidth={1.5} />
      <path d="M46 25h18M46 46h14M46 68h20M90 25h28M90 68h16" {...thin} />
      <path d="M90 46h24" className="stroke-torch" strokeWidth={6} strokeLinecap="round" />
    </>
  ),
  timeline: (
    <>
      <path d="M50 10v74" {...line} />
      <path d="M68 22h56M68 46h40M68 70h48" {...thin} />
      <circle cx={50} cy={22} r={7} className="fill-torch stroke-edge" strokeWidth={2} />
      <circle cx={50} cy={46} r={6} {...paper} />
      <circle cx={50} cy={70} r={6} {...paper} />
    </>
  ),
  history: (
    <>
      <circle cx={84} cy={46} r={32} {...paper} />
      <path d="M84 28v18l12 8" {...line} strokeWidth={3} />
      <path d="M52 46a32 32 0 0 1 32-32" className="stroke-torch" strokeWidth={6} strokeLinecap="round" />
      <path d="m44 38 8 10 9-9" {...line} />
    </>
  ),
  languages: (
    <>
      <path d="M34 14h58v38H62L50 64V52H34z" {...paper} />
      <path
        d="M104 34h32v38h-14v12l-12-12H78V58"
        className="fill-torch-tint stroke-edge"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <text x={63} y={42} textAnchor="middle" fontSize={24} fontWeight={600} className="fill-ink">
        A
      </text>
      <text x={116} y={64} textAnchor="middle" fontSize={24} fontWeight={600} className="fill-ink">
        ب
      </text>
    </>
  ),
  domains: (
    <>
      <rect x={26} y={14} width={116} height={66} rx={6} {...paper} />
      <path d="M26 32h116" {...line} />
      <rect x={50} y={19} width={80} height={8} rx={4} className="fill-torch" />
      <path d="M34 23h.1M41 23h.1" className="stroke-edge" strokeWidth={4} strokeLinecap="round" />
      <circle cx={84} cy={56} r={18} {...line} />
      <path d="M66 56h36M84 38c-11 11-11 25 0 36 11-11 11-25 0-36z" {...line} strokeWidth={1.5} />
    </>
  ),
  environments: (
    <>
      <path d="m84 46 44 15-44 15-44-15z" {...paper} />
      <path
        d="m84 30 44 15-44 15-44-15z"
        className="fill-accent-tint stroke-edge"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <path d="m84 14 44 15-44 15-44-15z" className="fill-torch stroke-edge" strokeWidth={2} strokeLinejoin="round" />
    </>
  ),
  limits: (
    <>
      <path d="M40 72a44 44 0 0 1 88 0" className="stroke-pressed" strokeWidth={12} strokeLinecap="round" />
      <path d="M40 72a44 44 0 0 1 30-41.700" className="stroke-torch" strokeWidth={12} strokeLinecap="round" />
      <path d="m84 72 16-26" {...line} strokeWidth={4} />
      <circle cx={84} cy={72} r={6} className="fill-ink" />
    </>
  ),
  /** A broom on a floor that is clean. */
  clean_up: (
    <>
      <path d="m122 14-26 36" {...line} strokeWidth={4} />
      <path d="M28 78h112" {...line} />
      <path
        d="m86 44 20 14-8 20H60c12-6 20-18 26-34z"
        className="fill-torch stroke-edge"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      <path d="m84 64-8 14M95 66l-5 12" {...line} />
      <path d="M44 30v12m-6-6h12M62 18v8m-4-4h8M128 46v8m-4-4h8" {...line} />
    </>
  ),
  /** A flag at the end of a way. */
  goals: (
    <>
      <path d="M24 80c20-20 40-20 60-14s40 6 60-8" {...line} />
      <path d="M84 66V14" {...line} strokeWidth={4} />
      <path d="M84 16h36l-9 11 9 11H84z" className="fill-torch stroke-edge" strokeWidth={2} strokeLinejoin="round" />
    </>
  ),
  /** Two cards, and a check mark on the better one. */
  experiments: (
    <>
      <rect x={26} y={20} width={50} height={52} rx={6} {...paper} />
      <path d="M38 36h26M38 48h26M38 60h14" {...thin} />
      <rect x={92} y={20} width={50} height={52} rx={6} className="fill-torch stroke-edge" strokeWidth={2} />
      <path d="m105 46 8 8 16-16" {...line} strokeWidth={4} />
    </>
  ),
  /** A bell that rings. */
  alerts: (
    <>
      <path d="M64 66V44a20 20 0 0 1 40 0v22l7 6H57z" {...paper} />
      <path d="M77 78a7 7 0 0 0 14 0M84 24v-8" {...line} />
      <path
        d="M50 30a24 24 0 0 0-6 14M40 22a36 36 0 0 0-8 18M118 30a24 24 0 0 1 6 14M128 22a36 36 0 0 1 8 18"
        {...line}
      />
      <circle cx={100} cy={32} r={9} className="fill-torch stroke-edge" strokeWidth={2} />
    </>
  ),
  webhooks: (
    <>
      <rect x={24} y={30} width={40} height={32} rx={6} {...paper} />
      <rect x={104} y={30} width={40} height={32} rx={6} {...paper} />
      <path d="M68 46h30m-8-8 8 8-8 8" {...line} />
      <path d="m126 34-10 14h8l-4 12 11-15h-8z" className="fill-torch" />
      <path d="M34 42h20M34 50h12" {...thin} />
    </>
  ),
  /** A palette with one lit color, and a box that has it. */
  themes: (
    <>
      <rect x={20} y={20} width={72} height={52} rx={8} {...paper} />
      <path d="M32 34h34M32 44h46" {...thin} />
      <rect x={32} y={54} width={26} height={10} rx={5} className="fill-torch" />
      <path
        d="M118 20a28 26 0 1 0 4 52c6 0 6-6 3-9s-1-8 5-8h8c8 0 10-8 8-15-4-12-16-20-28-20z"
        className="fill-accent-tint stroke-edge"
        strokeWidth={2}
      />
      <circle cx={106} cy={36} r={5} className="fill-torch stroke-edge" strokeWidth={2} />
      <circle cx={124} cy={32} r={5} className="fill-accent" />
      <circle cx={102} cy={54} r={5} className="fill-good" />
    </>
  ),
  /** A photo of a hill and the sun, on top of others. */
  media: (
    <>
      <path d="M60 16h80v56H60z" className="fill-accent-tint stroke-edge" strokeWidth={2} strokeLinejoin="round" />
      <rect x={30} y={24} width={92} height={58} rx={5} {...paper} />
      <circle cx={54} cy={42} r={8} className="fill-torch" />
      <path
        d="m36 76 26-22 16 14 18-24 20 32z"
        className="fill-accent-tint stroke-edge"
        strokeWidth={2}
        strokeLinejoin="round"
      />
    </>
  ),
  secrets: (
    <>
      <circle cx={58} cy={46} r={20} className="fill-torch stroke-edge" strokeWidth={2} />
      <circle cx={53} cy={46} r={6} className="fill-surface stroke-edge" strokeWidth={2} />
      <path d="M78 42h56v8h-8v12h-9V50h-8v8h-9v-8H78z" {...paper} />
    </>
  ),
  auditLog: (
    <>
      <path d="M48 10h62l14 14v58H48z" {...paper} />
      <path d="M110 10v14h14" {...line} />
      <path d="M60 30h30M60 44h42M60 58h24" {...thin} />
      <circle cx={116} cy={70} r={14} className="fill-torch stroke-edge" strokeWidth={2} />
      <path
        d="m110 70 4 5 8-9"
        className="stroke-rail"
        strokeWidth={2.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
} satisfies Record<string, ReactNode>;

export default function DrawingContent({ of }: { of: DrawingName }): ReactNode {
  return drawings[of];
}

export type DrawingName = keyof typeof drawings;
