# The server with its database in one container. Data are in the volume /data.
FROM node:26-slim
WORKDIR /opt/rookery
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY . .
RUN node scripts/build-client.js
# PostgreSQL does not run as root.
RUN install -d -o node -g node -m 0700 /data && ln -s /opt/rookery/bin/rookery /usr/local/bin/rookery
USER node
ENV NODE_ENV=production DATA_DIR=/data BIND=0.0.0.0 PORT=3000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "scripts/start.js"]
