// The only globals outside the language that the rules may use: every runtime Usher runs on has them.
declare class URL {
  constructor(url: string);
  readonly hostname: string;
  readonly port: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
}
