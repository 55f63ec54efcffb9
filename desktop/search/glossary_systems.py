"""Names of one thing in running software: deployment, servers, networks, databases, interfaces, security, performance.

A table for `glossary`, which says how a line is read. General knowledge of the field only; every group must be true equivalents, and a
word stands in two groups at most. Pure data.
"""

from __future__ import annotations

SYSTEMS = """
continuous integration, ci, 持续集成
continuous delivery, continuous deployment, 持续交付, 持续部署
ci cd, build pipeline, deployment pipeline, 构建流水线, 部署流水线, 发布流水线
cron job, cron, scheduled task, scheduled job, 定时任务, 计划任务
background job, background task, 后台任务
ci runner, build agent, build machine, 构建机
deploy, deployment, 部署, 上线
go live, ship to production, 上线
dry run, trial run, 试运行
rollback, roll back, 回滚
staged rollout, gradual rollout, 灰度, 灰度发布, 逐步发布
canary release, canary deployment, 金丝雀发布
blue green deployment, 蓝绿部署
feature flag, feature toggle, feature switch, 功能开关, 特性开关
production environment, production, prod, 生产环境, 线上环境
staging environment, staging, pre production, 预发布环境, 预发环境, 预生产环境
test environment, 测试环境
development environment, dev environment, 开发环境
local environment, 本地环境
maintenance window, 维护窗口
scheduled maintenance, 停机维护, 计划维护
downtime, outage, service interruption, 停机, 宕机, 服务中断
availability, uptime, 可用性
high availability, 高可用
disaster recovery, 灾难恢复, 容灾
failover, fail over, 故障转移, 故障切换
redundancy/redundant, 冗余
replica, 副本
cluster, 集群
node, 节点
container, 容器
docker image, container image, 容器镜像, 镜像
mirror, mirror site, 镜像, 镜像站
kubernetes, k8s
orchestration/orchestrate, 编排
infrastructure as code, iac, 基础设施即代码
infrastructure, infra, 基础设施
virtual machine, vm, 虚拟机
host machine, host, 主机, 宿主机
cloud, 云端
cloud service, 云服务
on premise, self hosted, 本地部署, 私有部署, 自托管
serverless, 无服务器
server, 服务器, 服务端
service, 服务
daemon, 守护进程
process, 进程
system log, syslog, 系统日志
startup, start up, launch, boot, 启动
reboot, restart, 重启
shut down, shutdown, 关机
health check, healthcheck, 健康检查
heartbeat, 心跳
monitoring/monitor, 监控
dashboard, 仪表盘, 看板
metric, 指标
alert/alerting, 告警, 报警
observability, 可观测性
tracing, distributed tracing, 链路追踪, 分布式追踪
telemetry, 遥测
threshold, 阈值
capacity, 容量
scale out, horizontal scaling, 横向扩展, 水平扩展
scale up, vertical scaling, 纵向扩展, 垂直扩展
autoscaling, auto scaling, 自动扩容, 弹性伸缩
scalability/scalable, 可扩展性, 伸缩性
network, 网络
internet, 互联网
intranet, internal network, 内网
vpn, virtual private network, 虚拟专用网
firewall, 防火墙
gateway, 网关
router, 路由器
route/routing, 路由
port, 端口
port number, 端口号
port forwarding, 端口转发
port conflict, address already in use, 端口冲突, 端口被占用
proxy, 代理, 代理服务器
reverse proxy, 反向代理
load balancer/load balancing, 负载均衡
domain name, domain, 域名
subdomain, sub domain, 子域名
domain name system, dns, 域名解析
bandwidth, 带宽
traffic, 流量
content delivery network, cdn, 内容分发网络
connection/connect, 连接
connection pool, 连接池
disconnect/disconnection, connection lost, 断开连接, 断线, 掉线
reconnect/reconnection, 重连
offline, 离线
online, 在线
websocket, web socket
socket, 套接字
protocol, 协议
handshake, 握手
packet loss, 丢包
packet capture, 抓包
timeout, time out, 超时
retry, try again, 重试
exponential backoff, backoff, 指数退避, 退避
rate limit, throttle, 限流, 速率限制, 限速
quota, usage limit, 配额, 额度
circuit breaker, 熔断, 熔断器
graceful degradation, degraded mode, 降级
idempotent/idempotency, 幂等, 幂等性
cache, 缓存
cache hit, 缓存命中
hit rate, hit ratio, 命中率
cache invalidation, invalidate cache, clear cache, 缓存失效, 清缓存, 清除缓存
expire/expiration, expiry, ttl, 过期, 失效
message queue, mq, 消息队列
queue, 队列
producer, 生产者
consumer, 消费者
publish subscribe, pub sub, pubsub, 发布订阅
event driven, 事件驱动
batch, 批量, 批处理
database, db, 数据库
relational database, rdbms, 关系型数据库, 关系数据库
postgresql, psql, postgres
mongodb, mongo
sqlserver, sql server, mssql
table structure, database schema, 表结构
foreign key, 外键
primary key, 主键
database index, 数据库索引
index, 索引
query, 查询
query statement, sql statement, 查询语句
full table scan, table scan, 全表扫描
slow query, 慢查询
query plan, execution plan, explain plan, 执行计划, 查询计划
transaction, 事务
isolation level, 隔离级别
consistency/consistent, 一致性, 一致
eventual consistency/eventually consistent, 最终一致, 最终一致性
database migration, schema migration, data migration, 数据迁移, 数据库迁移
migrate/migration, 迁移
stored procedure, 存储过程
trigger, 触发, 触发器
database view, 视图
shard/sharding, 分片, 分库分表
partition, 分区
replication/replicate, 主从复制
read replica, 只读副本, 从库
object relational mapping, orm, 对象关系映射
data warehouse, 数据仓库
data lake, 数据湖
dataset, data set, 数据集
data source, datasource, 数据源
data loss, 数据丢失
dirty data, 脏数据
object storage, blob storage, 对象存储
storage, 存储
persistence/persist/persistent, 持久化
hard disk, disk, 磁盘, 硬盘
disk full, no space left, 磁盘已满
disk space, 磁盘空间
application programming interface, api, 接口
endpoint, api endpoint, 接口地址, 端点
request, 请求
response, 响应
request header, http header, 请求头
request body, 请求体
payload, 载荷
query parameter, query string, 查询参数
pagination/paginate, ~paging, 分页
cursor, 游标
webhook, web hook, 网络钩子
remote procedure call, rpc, 远程调用, 远程过程调用
redirect/redirection, 重定向
cross origin, cors, 跨域
crawler, web crawler, scraper, 爬虫
security, 安全
authentication/authenticate, auth, 认证, 鉴权, 身份验证
login, log in, sign in, 登录, 登陆
logout, log out, sign out, 登出, 退出登录
sign up, registration, register, 注册
single sign on, sso, 单点登录
two factor authentication, 2fa, mfa, two factor, 双因素, 两步验证, 双重认证
verification code, captcha, 验证码
account, 账号, 账户
username, user name, 用户名
password, passphrase, 密码, 口令
credential, 凭据, 凭证
api key, access key, secret key, 密钥
private key, 私钥
public key, 公钥
key rotation, rotate key, 密钥轮换
secret, 机密, 密钥
token, access token, auth token, bearer token, 令牌, 访问令牌
environment file, dotenv
authorization/authorize, 授权
permission, privilege, 权限
permission denied, access denied, 权限不足, 拒绝访问
access control, 访问控制
role based access control, rbac, 角色权限
administrator, admin, 管理员
root user, superuser, 超级用户
certificate, cert, 证书
renew/renewal, 续期, 续签
encrypt/encryption, 加密
decrypt/decryption, 解密
digital signature, signature, 签名
vulnerability, security hole, 漏洞, 安全漏洞
sql injection, 注入攻击
prompt injection, 提示词注入, 提示注入
cross site scripting, xss, 跨站脚本
cross site request forgery, csrf, 跨站请求伪造
denial of service, ddos, 拒绝服务
malware, 恶意软件
sandbox, 沙箱, 沙盒
allowlist, whitelist, allow list, 白名单
blocklist, blacklist, deny list, denylist, 黑名单
redact/redaction, data masking, desensitize, 脱敏, 打码
personally identifiable information, personal data, pii, 个人信息, 隐私数据
privacy, 隐私
sensitive information, sensitive data, 敏感信息, 敏感数据
data breach, data leak, 数据泄露, 数据泄漏
leak, 泄漏, 泄露
audit, 审计
compliance, 合规
performance, perf, 性能
latency, response time, 延迟, 响应时间, 时延
throughput, 吞吐, 吞吐量
queries per second, requests per second, qps, 每秒请求数
bottleneck, 瓶颈
hotspot, hot path, 热点, 热路径
optimize/optimization, optimise, 优化
profiler/profiling, performance analysis, 性能分析
memory, ram, 内存
processor, cpu, 处理器
graphics card, gpu, 显卡
overhead, 开销
lazy load, 懒加载, 延迟加载
preload, prefetch, 预加载, 预取
cold start, 冷启动
warm up, 预热
debounce, 防抖
poll/polling, 轮询
resource usage, resource consumption, 资源占用, 资源消耗
speed, 速度
"""
