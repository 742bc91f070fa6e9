/** One of each release of Kubernetes that clusters run, the oldest first: of 1.18 to 1.28 the last that there was. */
export const releases = [
  ...['1.18.20', '1.19.16', '1.20.15', '1.21.14', '1.22.17', '1.23.17', '1.24.17', '1.25.16', '1.26.15', '1.27.16'],
  ...['1.28.15', '1.29.6', '1.30.14', '1.31.14', '1.32.13', '1.33.13', '1.34.4', '1.35.4', '1.36.3'],
] as const;
